// @ts-check
// The addresses of other sites and programs. Nothing is loaded from them: they
// are opened where somebody follows a link.

/**
 * @param {string} address
 * @param {Record<string, string>} values
 */
const link = (address, values) => `${address}?${Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** @param {string} text @param {string} url */
export const whatsApp = (text, url) => link('https://wa.me/', { text: `${text}\n${url}` });

/** @param {string} text @param {string} url */
export const telegram = (text, url) => link('https://t.me/share/url', { url, text });

/** @param {string} subject @param {string} text @param {string} url */
export const email = (subject, text, url) => link('mailto:', { subject, body: `${text}\n\n${url}\n`.replaceAll('\n', '\r\n') });
