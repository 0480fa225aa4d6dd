import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../platform/durable-file.ts';

const Running = z.object({ url: z.url(), pid: z.number().int() });
const NAME = 'gateway.json';

/** Leaves the address of the running gateway in its data folder, for commands on the same computer. */
export async function announceRunning(dataFolder: string, url: string): Promise<void> {
  await writeDurably(
    join(dataFolder, NAME),
    Buffer.from(`${JSON.stringify({ url, pid: process.pid })}\n`),
    0o600,
  );
}

export async function withdrawRunning(dataFolder: string): Promise<void> {
  await rm(join(dataFolder, NAME), { force: true });
}

/** The address a gateway left there, or null. A crash may have left it behind: it is a hint, not a proof. */
export async function readRunning(dataFolder: string): Promise<z.infer<typeof Running> | null> {
  try {
    return Running.parse(JSON.parse(await readFile(join(dataFolder, NAME), 'utf8')));
  } catch {
    return null;
  }
}
