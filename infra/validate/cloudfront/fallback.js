// Requests the site's page unless the path is that of a file: the app routes by the path. site.IsFile
// is the same rule in Go, for the local server.
function handler(event) {
    var request = event.request;
    if (!/^(\/[a-zA-Z0-9_-]+)*\/[a-zA-Z0-9_-]+\.(css|html|ico|js|json|png|svg|txt|webmanifest|woff2)$/.test(request.uri)) {
        request.uri = '/index.html';
    }
    return request;
}
