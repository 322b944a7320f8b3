import { step, type ListActions, type ListOwn } from '../components/guest-list';
import { setter, type Drawing } from '../lib/drawing';

/** The list of guests. Its controls send no requests. @param shown how many it shows at first */
export function guestsList(drawing: Drawing<unknown>, shown: number) {
  const own: ListOwn = { search: '', sort: 'arrival', shown, rows: new Map() };
  const set = setter(own, drawing);
  const actions: ListActions = {
    search: (search) => void set({ search, shown: Math.min(own.shown, step) }),
    sort: (sort) => void set({ sort }),
    more: () => void set({ shown: own.shown < step ? step : own.shown + step }),
  };
  return { own, set, actions };
}
