import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import { type OwnCard, readOwnCard } from './own-card.ts';
import type { DirectParts } from './parts.ts';
import { rotateOwnKeys } from './rotate-keys.ts';

export type { OwnCard } from './own-card.ts';

/** Direct delivery between installations that have verified each other. */
export interface DirectService {
  readonly jobs: readonly JobDefinition<never>[];
  isEnabled(): boolean;
  /** Throws refusals while direct delivery is off (404) or a setting is missing (409). */
  card(): Promise<OwnCard>;
  /** Puts new keys in force and returns the new card. Throws refusals. */
  rotate(caller: Caller): Promise<OwnCard>;
  /** Warnings for an administrator, as sentences. */
  warnings(): readonly string[];
}

export function createDirectService(parts: DirectParts): DirectService {
  const { settings, identity } = parts;
  return {
    jobs: [],
    isEnabled: () => settings.enabled(),
    card: () => readOwnCard(parts),
    rotate: (caller) => rotateOwnKeys(parts, caller),
    warnings() {
      const problem = settings.enabled() ? identity.fileProblem : null;
      return problem === null ? [] : [problem];
    },
  };
}
