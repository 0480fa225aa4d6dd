import type { Skippable } from '../setup/tools.ts';
import type { Office } from './office.ts';

/** One thing that people do with a running gateway, from its beginning to its end. */
export interface Capability {
  /** A sentence, as the name of a test. */
  readonly name: string;
  readonly run: (office: Office, context: Skippable) => Promise<void>;
}
