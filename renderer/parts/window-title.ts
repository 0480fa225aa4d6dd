import { useEffect } from 'react';
import { t } from '../texts/index.ts';

/** Name of the screen, and the news beside it. */
let screen = '';
let notices: { readonly before: string; readonly after: string } = { before: '', after: '' };

function write(): void {
  const { before, after } = notices;
  document.title = [before, screen, after, t.shell.product].filter((part) => part !== '').join(' · ');
}

/** Names the screen in the title of the window, and so in the taskbar. */
export function useScreenTitle(name: string): void {
  useEffect(() => {
    screen = name;
    write();
  }, [name]);
}

/** Puts news before and after the name of every screen, such as the number of unread faxes. Unmounting removes them. */
export function useTitleNotices(before: string, after: string): void {
  useEffect(() => {
    notices = { before, after };
    write();
    return () => {
      notices = { before: '', after: '' };
      write();
    };
  }, [before, after]);
}
