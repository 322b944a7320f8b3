// The request for the names, which only organizers' pages make.
import { request, secret } from './api';
import { has, isText, listOf } from './guards';

const isPage = has({ attendees: listOf(has({ name: isText })) });

/**
 * A long list is paginated (RFC 8288).
 * @param progress called with the names so far before each further page
 * @returns the names, in the order of arrival
 */
export async function listAttendees(
  eventToken: string,
  organizerToken: string,
  progress: (names: string[]) => void = () => {},
): Promise<string[]> {
  const names: string[] = [];
  for (let query = secret(organizerToken); query;) {
    const { data, headers } = await request('GET', `/${eventToken}/attendees${query}`, isPage);
    for (const { name } of data.attendees) names.push(name);
    query = /<(\?[^>]*)>;\s*rel="?next"?/.exec(headers.get('Link') ?? '')?.[1] ?? '';
    if (query) progress(names);
  }
  return names;
}
