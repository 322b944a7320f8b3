// Spreadsheets evaluate a cell that starts like a formula; the apostrophe makes it text.
const quoted = (cell: string) =>
  `"${cell.replace(/^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u, "'").replaceAll('"', '""')}"`;

/** A CSV file (RFC 4180). Excel reads it as UTF-8 because of the byte order mark. */
export const csv = (rows: string[][]) => `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
