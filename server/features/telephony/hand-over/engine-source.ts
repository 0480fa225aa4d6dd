import { z } from 'zod';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import type { SourcedFax } from '../../inbound/types.ts';
import type { TelephonySettings } from '../parts.ts';

/** The account of faxes that come in while no trunk is set up here. */
const WITHOUT_TRUNK = `${LINE_BACKEND}:telephony`;

/** Returns the account of a fax that comes in now: `sip:` and the user of the trunk. */
export function lineAccountOf(settings: Pick<TelephonySettings, 'lineAccount'>): string {
  return settings.lineAccount() ?? WITHOUT_TRUNK;
}

/** Source of a fax at the telephone engine. */
const EngineSource = z.strictObject({
  /** Path of its image within the data folder. */
  image: z.string(),
});

export function engineSource(image: string): z.infer<typeof EngineSource> {
  return { image };
}

/** Returns the path of the image of a fax; null when it is gone. */
export function imageOf(fax: SourcedFax): string | null {
  const source = fax.source();
  return source === null ? null : EngineSource.parse(source).image;
}
