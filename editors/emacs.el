;;; structured-lsp in Emacs 29 and newer, which has eglot: (load "/path/to/emacs.el") in your init file. -*- lexical-binding: t -*-
;;
;; eglot runs one server for a buffer. These lines make it structured-lsp in projects that you name; to have clangd beside
;; it, let `rass' or another multiplexer start both.

(require 'eglot)

(defcustom structured-lsp-command '("structured-lsp")
  "The language server and its arguments."
  :type '(repeat string)
  :group 'eglot)

(defun structured-lsp ()
  "Let structured-lsp serve the C++ buffers of this project."
  (interactive)
  (let ((eglot-server-programs
         (cons (cons '(c++-mode c++-ts-mode cuda-mode) structured-lsp-command) eglot-server-programs)))
    (call-interactively #'eglot)))

(provide 'structured-lsp)
;;; emacs.el ends here
