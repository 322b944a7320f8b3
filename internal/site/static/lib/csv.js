// @ts-check

// Spreadsheets evaluate a cell that starts like a formula; the apostrophe makes it text.
/** @param {string} cell */
const quoted = (cell) =>
  `"${cell.replace(/^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u, "'").replaceAll('"', '""')}"`;

/** A CSV file (RFC 4180). Excel reads it as UTF-8 because of the byte order mark. @param {string[][]} rows */
export const csv = (rows) => `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
