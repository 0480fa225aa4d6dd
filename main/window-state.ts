import { join } from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import { screen } from 'electron';
import { z } from 'zod';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const Side = z.number().int().min(-100_000).max(100_000);
const WindowState = z.object({
  bounds: z.object({ x: Side, y: Side, width: Side.min(1), height: Side.min(1) }),
  maximized: z.boolean(),
});
type WindowState = z.infer<typeof WindowState>;

export const MIN_SIZE = { width: 800, height: 600 } as const;
const DEFAULT_SIZE = { width: 1280, height: 860 } as const;
/** As much of a window's top must be on a screen that it can be taken hold of. Pixels. */
const GRIP = 100;
const SETTLE_MS = 400;

interface OpeningState {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  readonly maximized: boolean;
}

/** Returns the last place of the window, unless no screen shows that place any more. */
export async function openingState(folder: string): Promise<OpeningState> {
  const state = parse(await readOwnerFile(statePath(folder)).catch(() => null));
  if (state === null) return { ...DEFAULT_SIZE, maximized: false };
  const { bounds, maximized } = state;
  const width = Math.max(bounds.width, MIN_SIZE.width);
  const height = Math.max(bounds.height, MIN_SIZE.height);
  const visible = screen.getAllDisplays().some(({ workArea }) => showsGrip(workArea, bounds));
  return visible ? { ...bounds, width, height, maximized } : { width, height, maximized };
}

/** Remembers where the window stands, soon after it was moved. */
export function rememberState(window: BrowserWindow, folder: string): void {
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
      const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      // A place of the window that cannot be stored is not worth an error.
      writeOwnerFile(statePath(folder), `${JSON.stringify(state)}\n`).catch(() => {});
    }, SETTLE_MS);
  };
  window.on('resize', note);
  window.on('move', note);
  window.on('maximize', note);
  window.on('unmaximize', note);
  window.on('closed', () => clearTimeout(timer));
}

function statePath(folder: string): string {
  return join(folder, 'window.json');
}

function parse(text: string | null): WindowState | null {
  try {
    return text === null ? null : WindowState.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function showsGrip(screen: Rectangle, window: Rectangle): boolean {
  const across = Math.min(screen.x + screen.width, window.x + window.width) - Math.max(screen.x, window.x);
  return across >= GRIP && window.y >= screen.y - 1 && window.y <= screen.y + screen.height - GRIP;
}
