import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import type { DirectDelivery } from '../outbound/port.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { defineFenceCleanup } from './deliveries/fences.ts';
import { createDirectDelivery } from './deliveries/transport.ts';
import { createUnderWay } from './deliveries/under-way.ts';
import { assertEnabled, type OwnCard, readOwnCard } from './own-card.ts';
import type { PartnerParts } from './partners/parts.ts';
import { createPartnersService, type PartnersService } from './partners/service.ts';
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
  readonly partners: PartnersService;
  isEnabled(): boolean;
  /** Throws the refusal of an address that does not exist while direct delivery is off. */
  assertEnabled(): void;
  /** Throws refusals while direct delivery is off (404) or a setting is missing (409). */
  card(): Promise<OwnCard>;
  /** Puts new keys in force and returns the new card. Throws refusals. */
  rotate(caller: Caller): Promise<OwnCard>;
  /** Warnings for an administrator, as sentences. */
  warnings(): Promise<readonly string[]>;
}

export function createDirectService(parts: PartnerParts): DirectService {
  const { settings, identity } = parts;
  const stopping = new AbortController();
  const fences = defineFenceCleanup(parts);
  const partners = createPartnersService(parts);
  return {
    partners,
    jobs: [...partners.jobs, fences.definition] as unknown as JobDefinition<never>[],
    delivery: createDirectDelivery({ ...parts, signal: stopping.signal }),
    deliveries: createDeliveries({
      ...parts,
      underWay: createUnderWay(),
    }),
    async plan() {
      await fences.plan();
      await partners.plan();
    },
    abortRequests: () => stopping.abort(),
    isEnabled: () => settings.enabled(),
    assertEnabled: () => assertEnabled(settings),
    card: () => readOwnCard(parts),
    rotate: (caller) => rotateOwnKeys(parts, caller, partners.planKeyChanges),
    async warnings() {
      const problem = settings.enabled() ? identity.fileProblem : null;
      return [...(problem === null ? [] : [problem]), ...(await partners.warnings())];
    },
  };
}
