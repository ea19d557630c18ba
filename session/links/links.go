// Package links opens what the links in a terminal lead to, outside of aside.
// It fences two rules: which targets may be opened at all, since whoever writes
// to a terminal chooses them, and how a program is started that outlives this
// one.
package links

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aside/session"
)

// maxTarget bounds a target, in bytes.
const maxTarget = 2083

// documents are the kinds of files that are shown, not run, when they are
// opened, whatever is in them.
var documents = []string{
	".csv", ".gif", ".htm", ".html", ".jpeg", ".jpg", ".json", ".log", ".md", ".pdf", ".png", ".svg", ".txt", ".webp", ".xml",
}

// Check returns a target as it is to be opened, or an error that says why it
// is not: pages (http, https), mail without files to attach, and documents
// (file) inside the folder checkout are.
func Check(target, checkout string) (string, error) {
	u, err := url.Parse(target)
	if err != nil || len(target) > maxTarget || strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", refused("this is no link that can be opened")
	}
	switch u.Scheme {
	case "http", "https":
		if u.Hostname() == "" {
			return "", refused("this link leads to no host")
		}
		return target, nil
	case "mailto":
		for key := range u.Query() {
			if strings.HasPrefix(strings.ToLower(key), "attach") {
				return "", refused("this link would attach a file to a mail")
			}
		}
		return target, nil
	case "file":
		return document(u, checkout)
	}
	return "", refused("links to pages, mail and the checkout's documents are opened, no others")
}

// document returns the path of a document in the checkout.
func document(u *url.URL, checkout string) (string, error) {
	if host := u.Hostname(); host != "" && host != "localhost" {
		if own, err := os.Hostname(); err != nil || host != own {
			return "", refused("this file is on another machine")
		}
	}
	root, err := filepath.EvalSymlinks(checkout)
	if err != nil || checkout == "" {
		return "", refused("the thread has no checkout that the file could be in")
	}
	path, err := filepath.EvalSymlinks(u.Path)
	if err != nil {
		return "", refused("there is no such file")
	}
	within, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(within) {
		return "", refused("this file is outside the thread's checkout")
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || !slices.Contains(documents, strings.ToLower(filepath.Ext(path))) {
		return "", refused("this file is none that is only shown when it is opened")
	}
	return path, nil
}

func refused(why string) error {
	return &session.Error{Code: session.CodeUsage, Message: why, Hint: "its target can be copied"}
}
