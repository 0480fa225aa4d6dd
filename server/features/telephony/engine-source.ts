import { z } from 'zod';
import { LINE_BACKEND } from '../../../shared/states.ts';
import type { SourcedFax } from '../inbound/types.ts';

/** There is one engine with one trunk, and its user has no setting yet; the name stands for it in every fax. */
export const ENGINE_ACCOUNT = { backend: LINE_BACKEND, accountId: `${LINE_BACKEND}:telephony` } as const;

/** What a fax names at the telephone engine. */
const EngineSource = z.strictObject({
  /** Where its image lies within the data folder. */
  image: z.string(),
});

export function engineSource(image: string): z.infer<typeof EngineSource> {
  return { image };
}

/** Where the image of a fax lies; null when it is gone. */
export function imageOf(fax: SourcedFax): string | null {
  const source = fax.source();
  return source === null ? null : EngineSource.parse(source).image;
}
