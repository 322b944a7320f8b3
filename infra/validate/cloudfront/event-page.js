// Sets two headers for the pages of events: the origin that the visitor used, and the language. Both
// are part of the cache's key. No other header of the visitor reaches the pages, and values that a
// visitor sends are replaced. site.Language is the same choice in Go, for the local server.
var languages = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'uk'];
var likeBritish = ['en-au', 'en-gb', 'en-ie', 'en-in', 'en-nz', 'en-za'];

function handler(event) {
    var headers = event.request.headers;
    var accepted = headers['accept-language'] ? headers['accept-language'].value : '';
    var wanted = accepted.split(',').map(function (part) {
        var tag = part.split(';')[0].trim().toLowerCase();
        return likeBritish.indexOf(tag) >= 0 ? 'en-GB' : tag.split('-')[0];
    });
    var known = wanted.filter(function (tag) { return tag === 'en-GB' || languages.indexOf(tag) >= 0; });
    headers['x-site-origin'] = { value: 'https://' + headers.host.value };
    headers['x-site-language'] = { value: known[0] || 'en' };
    return event.request;
}
