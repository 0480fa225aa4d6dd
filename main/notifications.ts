import { Notification } from 'electron';

/** Notices that are still to be seen: one that is collected would lose its click. */
const shown = new Set<Notification>();
const MAX_SHOWN = 50;

/** Shows a notice of the operating system; nothing where it has none. Returns a function that closes it while it is to be seen. */
export function notify(notice: { title: string; body: string }, onClick: () => void): () => void {
  if (!Notification.isSupported()) return () => {};
  const notification = new Notification(notice);
  shown.add(notification);
  for (const oldest of shown) {
    if (shown.size <= MAX_SHOWN) break;
    shown.delete(oldest);
  }
  notification.on('click', () => {
    shown.delete(notification);
    onClick();
  });
  notification.on('close', () => shown.delete(notification));
  notification.show();
  return () => {
    if (shown.has(notification)) notification.close();
  };
}
