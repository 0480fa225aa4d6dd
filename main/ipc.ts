import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { z } from 'zod';
import { type ChannelTable, channelOf } from './channels.ts';

/** For each call of a table the schema of its arguments and what answers it. */
export type Handlers<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (
    ...args: infer Args extends unknown[]
  ) => Promise<infer Result>
    ? { readonly args: z.ZodType<Args>; readonly handle: (...args: Args) => Promise<Result> | Result }
    : never;
};

type AnyHandler = { args: z.ZodType<unknown[]>; handle: (...args: unknown[]) => unknown };

/**
 * Answers a table of calls. Each call is refused unless it comes from the top frame of the window and from exactly the
 * origin that `origin` names at that moment, and its arguments fit.
 */
export function registerHandlers<Calls>(
  table: ChannelTable,
  answers: Handlers<Calls>,
  sender: { origin: () => string | null; isWindow: (id: number) => boolean },
): void {
  for (const [name, entry] of Object.entries(answers)) {
    const { args, handle } = entry as AnyHandler;
    ipcMain.handle(channelOf(table, name), async (event: IpcMainInvokeEvent, ...given: unknown[]) => {
      if (!isFromWindow(event, sender)) throw new Error('This page may not ask for that.');
      const parsed = args.safeParse(given);
      if (!parsed.success) throw new Error(`The arguments of ${name} do not fit.`);
      return handle(...parsed.data);
    });
  }
}

function isFromWindow(
  { senderFrame, sender }: IpcMainInvokeEvent,
  expected: { origin: () => string | null; isWindow: (id: number) => boolean },
): boolean {
  const origin = expected.origin();
  if (origin === null || senderFrame === null || !expected.isWindow(sender.id)) return false;
  return senderFrame.parent === null && senderFrame.origin === origin;
}
