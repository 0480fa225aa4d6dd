import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { TerminalEnd } from '../../../shared/states/terminal.ts';
import { openTerminalSession, type TerminalSession, type TerminalSize } from './terminal-session.ts';
import { withStyleSheets } from './terminal-styles.ts';

interface ViewOptions {
  /** Label of the field that receives keys. */
  readonly label: string;
  readonly ended: (reason: TerminalEnd | null) => void;
  /** Called for the key that leaves the terminal. */
  readonly leave: () => void;
}

/** A terminal on the page. */
export interface TerminalView {
  focus(): void;
  /** Returns everything that was printed, as text. */
  text(): string;
  /** Closes the terminal and removes it from the page. */
  close(): void;
}

/** Leaves the terminal: Tab is for completion. */
const LEAVE_KEY = 'F6';
const FONT_SIZE = 13;
const SCROLLBACK = 2_000;

/** Opens a terminal in an element of the page. Throws when the gateway refuses it. */
export async function openTerminalView(element: HTMLElement, options: ViewOptions): Promise<TerminalView> {
  const terminal = new Terminal({
    convertEol: true,
    cursorBlink: false,
    fontFamily: valueOf('--mono'),
    fontSize: FONT_SIZE,
    screenReaderMode: true,
    scrollback: SCROLLBACK,
    theme: themeOfPage(),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  withStyleSheets(() => terminal.open(element));
  terminal.textarea?.setAttribute('aria-label', options.label);
  terminal.attachCustomKeyEventHandler((event) => handlesKey(terminal, event, options.leave));
  fit.fit();
  let session: TerminalSession;
  try {
    session = await openTerminalSession(sizeOf(terminal), {
      output: (text) => terminal.write(text),
      ended: (reason) => {
        terminal.options.disableStdin = true;
        options.ended(reason);
      },
    });
  } catch (error) {
    terminal.dispose();
    throw error;
  }
  terminal.onData((text) => session.type(text));
  terminal.onResize(() => session.resize(sizeOf(terminal)));
  const stopFollowing = followPage(element, {
    fit: () => fit.fit(),
    paint: () => (terminal.options.theme = themeOfPage()),
  });
  return {
    focus: () => terminal.focus(),
    text: () => textOf(terminal),
    close() {
      stopFollowing();
      session.close();
      terminal.dispose();
    },
  };
}

function sizeOf({ cols, rows }: Terminal): TerminalSize {
  return { columns: Math.max(20, cols), rows: Math.max(5, rows) };
}

/** Returns false for keys that are not of the terminal: those that leave it, copy and paste. */
function handlesKey(terminal: Terminal, event: KeyboardEvent, leave: () => void): boolean {
  if (event.type !== 'keydown') return true;
  if (event.key === LEAVE_KEY) {
    event.preventDefault();
    leave();
    return false;
  }
  // The browser copies and pastes by itself where the terminal does not take these keys.
  const key = event.key.toLowerCase();
  if (!event.ctrlKey || event.altKey) return !event.altKey;
  if (key === 'v') return false;
  return key !== 'c' || (!event.shiftKey && !terminal.hasSelection());
}

/** Follows the size of the element and the colors of the page; the answer ends that. */
function followPage(element: HTMLElement, follow: { fit: () => void; paint: () => void }): () => void {
  const resized = new ResizeObserver(follow.fit);
  resized.observe(element);
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', follow.paint);
  return () => {
    resized.disconnect();
    scheme.removeEventListener('change', follow.paint);
  };
}

function textOf(terminal: Terminal): string {
  const { normal } = terminal.buffer;
  const lines = Array.from(
    { length: normal.length },
    (_, at) => normal.getLine(at)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}

const valueOf = (token: string) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

function themeOfPage(): ITheme {
  return {
    background: valueOf('--surface'),
    foreground: valueOf('--text'),
    cursor: valueOf('--accent'),
    cursorAccent: valueOf('--surface'),
    selectionBackground: valueOf('--accent-soft'),
    selectionForeground: valueOf('--text'),
  };
}
