import { useEffect } from 'react';
import { t } from '../texts/index.ts';

/** What a screen is called, and what is new beside it. */
let screen = '';
let news: { readonly before: string; readonly after: string } = { before: '', after: '' };

function write(): void {
  const { before, after } = news;
  document.title = [before, screen, after, t.shell.product].filter((part) => part !== '').join(' · ');
}

/** Names the screen in the title of the window, and so in the taskbar. */
export function useScreenTitle(name: string): void {
  useEffect(() => {
    screen = name;
    write();
  }, [name]);
}

/** What stands before and after the name of every screen, such as how much is unread; nothing once it is left. */
export function useTitleNews(before: string, after: string): void {
  useEffect(() => {
    news = { before, after };
    write();
    return () => {
      news = { before: '', after: '' };
      write();
    };
  }, [before, after]);
}
