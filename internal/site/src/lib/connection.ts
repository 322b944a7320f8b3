// Whether this device is offline. The browser's word is only a hint: a response of the service outweighs it.
import { Channel } from './dom';

let offline = !navigator.onLine;
const news = new Channel<[]>();

export const isOffline = () => offline;

/** Calls back when the device goes offline or online. */
export const onConnection = news.listen;

export function setOffline(is: boolean) {
  if (is === offline) return;
  offline = is;
  news.send();
}

addEventListener('offline', () => setOffline(true));
addEventListener('online', () => setOffline(false));
