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

/** A text without the control characters that programs refuse in a file. */
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

// Spreadsheets evaluate a cell that starts like a formula, unless it has an apostrophe.
const quoted = (cell: string) =>
  `"${printable(cell)
    .replace(/^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u, "'")
    .replaceAll('"', '""')}"`;

/** A CSV file (RFC 4180). Excel reads it as UTF-8 because of the byte order mark. */
export const csv = (rows: string[][]) => `\ufeff${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
