// The files that organizers download.
import type { EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { plain, sentences } from '../lib/text';
import { whenAnywhere } from '../model/time';
import { eventURL, organizerURL } from '../lib/urls';

export function fileName(title: string, ending: string) {
  const stem = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return `${[...stem].slice(0, 40).join('') || 'turnout'}${ending}`;
}

/** Removes the control characters that programs refuse in a file. */
const printable = (text: string) => text.replace(/[^\P{Cc}\t\n\r]/gu, '');

export const linksText = (event: EventDetails, organizerToken: string) =>
  printable(
    plain(`${event.title}
${whenAnywhere(event)}

${t('links.share')}
${eventURL(event.eventToken)}

${t('private.title')}
${organizerURL(event.eventToken, organizerToken)}
${sentences(t('links.warning'), t('links.forever')).join('')}
`),
  );

// Quotes a cell. An apostrophe keeps spreadsheets from evaluating a cell that starts like a formula.
const quoted = (cell: string) =>
  `"${printable(cell)
    .replace(/^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u, "'")
    .replaceAll('"', '""')}"`;

/** Makes a CSV file (RFC 4180). The byte order mark makes Excel read the file as UTF-8. */
export const csv = (rows: string[][]) => `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
