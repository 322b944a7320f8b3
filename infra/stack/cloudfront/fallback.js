// The page of the site, where the path names none of its files: the app finds its way by the path.
// site.IsFile is the same rule in Go, for the local server.
function handler(event) {
    var request = event.request;
    if (!/^(\/[a-zA-Z0-9_-]+)*\/[a-zA-Z0-9_-]+\.(css|html|ico|js|json|png|svg|txt|webmanifest|woff2)$/.test(request.uri)) {
        request.uri = '/index.html';
    }
    return request;
}
