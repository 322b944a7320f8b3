// @ts-check

// Spreadsheets take a cell that starts like a formula for one; the apostrophe
// keeps it text.
/** @param {string} cell */
const quoted = (cell) => `"${cell.replace(/^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u, "'").replaceAll('"', '""')}"`;

/**
 * A file by RFC 4180. The mark at the start tells Excel that it is UTF-8.
 * @param {string[][]} rows
 */
export const csv = (rows) => `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
