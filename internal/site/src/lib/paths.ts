function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the text after the token is not well encoded
  }
}

/**
 * The token at the beginning of a link's part. As in event_handler.go, a token is 36 characters long, and neither a
 * letter nor a digit follows. Other programs append text to links, such as the end of a sentence or a parameter.
 */
export function tokenIn(part: string) {
  const text = decoded(part);
  return (/^.{36}(?![\p{L}\p{N}])/u.exec(text)?.[0] ?? text).toLowerCase();
}

/** The event token in an event page's path, or "" for another path. */
export function pageToken(path: string) {
  const below = /^\/e\/(.+)$/.exec(path)?.[1] ?? '';
  const token = tokenIn(below);
  const isFile = token.includes('/') || /^\/[\p{L}\p{N}]/u.test(below.slice(token.length));
  return isFile ? '' : token;
}

/** The page at a path, or undefined for a file or an unknown path. The service worker serves these pages offline. */
export function pageAt(path: string) {
  if (/^\/*$/.test(path)) return 'home';
  return pageToken(path) ? 'event' : undefined;
}
