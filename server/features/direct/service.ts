import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import type { DirectDelivery } from '../outbound/port.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { defineFenceCleanup } from './deliveries/fences.ts';
import { createDirectDelivery } from './deliveries/transport.ts';
import { createUnderWay } from './deliveries/under-way.ts';
import { type OwnCard, readOwnCard } from './own-card.ts';
import type { DirectParts } from './parts.ts';
import { rotateOwnKeys } from './rotate-keys.ts';

export type { OwnCard } from './own-card.ts';

/** Direct delivery between installations that have verified each other. */
export interface DirectService {
  readonly jobs: readonly JobDefinition<never>[];
  /** Delivers documents of sent faxes to partners. */
  readonly delivery: DirectDelivery;
  /** Documents that are exchanged with partners. */
  readonly deliveries: Deliveries;
  /** Schedules the repeated work. */
  plan(): Promise<void>;
  /** Ends requests to partners: what is under way is asked for after the next start. */
  abortRequests(): void;
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
  const stopping = new AbortController();
  const fences = defineFenceCleanup(parts);
  return {
    jobs: [fences.definition] as unknown as JobDefinition<never>[],
    delivery: createDirectDelivery({ ...parts, signal: stopping.signal }),
    deliveries: createDeliveries({
      ...parts,
      underWay: createUnderWay(),
    }),
    plan: () => fences.plan(),
    abortRequests: () => stopping.abort(),
    isEnabled: () => settings.enabled(),
    card: () => readOwnCard(parts),
    rotate: (caller) => rotateOwnKeys(parts, caller),
    warnings() {
      const problem = settings.enabled() ? identity.fileProblem : null;
      return problem === null ? [] : [problem];
    },
  };
}
