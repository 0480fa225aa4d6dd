import type { z } from 'zod';
import type { Cover } from '../../shared/api/covers.ts';
import type { Client } from '../../shared/client/index.ts';
import { CommandFailure } from './exit-codes.ts';

export type CoverAnswer = z.infer<typeof Cover>;

/** A cover page by id or name. */
export async function findCover({ covers }: Client, name: string): Promise<CoverAnswer> {
  const { items } = await covers.listCovers({ query: {} });
  const wanted = name.toLowerCase();
  const found = items.find(({ id }) => id === name) ?? items.find((one) => one.name.toLowerCase() === wanted);
  if (!found) throw new CommandFailure(`There is no cover page “${name}”.`);
  return found;
}
