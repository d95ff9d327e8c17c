int plugin_version() { return 1; }
