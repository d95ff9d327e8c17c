;;; structured-lsp in Emacs 29 and newer, which has eglot: (load "/path/to/emacs.el") in your init file. -*- lexical-binding: t -*-
;;
;; eglot runs one server per buffer. `M-x structured-lsp' starts structured-lsp for a project; to use clangd as well, start
;; both through `rass' or another multiplexer.

(require 'eglot)

(defcustom structured-lsp-command '("structured-lsp")
  "The language server and its arguments."
  :type '(repeat string)
  :group 'eglot)

(defun structured-lsp ()
  "Start structured-lsp for the C++ buffers of this project."
  (interactive)
  (let ((eglot-server-programs
         (cons (cons '(c++-mode c++-ts-mode cuda-mode) structured-lsp-command) eglot-server-programs)))
    (call-interactively #'eglot)))

(provide 'structured-lsp)
;;; emacs.el ends here
