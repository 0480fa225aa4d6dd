import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import type { StorageMark } from './port.ts';
import { MARK_FILE } from './reserved-names.ts';

const Mark = z.object({
  installation: z.string().min(1),
  generation: z.int().min(0),
  database: z.enum(['sqlite', 'postgres']),
  bucket: z.string().optional(),
});

/**
 * Reads the mark; null when it is missing or invalid. Then only the documents themselves show which installation they
 * belong to.
 */
export async function readMark(root: string): Promise<StorageMark | null> {
  try {
    const found = Mark.safeParse(JSON.parse(await readFile(join(root, MARK_FILE), 'utf8')));
    if (!found.success) return null;
    const { bucket, ...mark } = found.data;
    return { ...mark, ...(bucket === undefined ? {} : { bucket }) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

export async function writeMark(root: string, mark: StorageMark): Promise<void> {
  await writeDurably(join(root, MARK_FILE), `${JSON.stringify(mark)}\n`);
}
