import type { Caller } from '../access/service.ts';

/** One way that a fax could take. */
export interface PlannedStep {
  readonly kind: string;
  readonly backend: string;
  /** The delivery route; null for the provider of the settings. */
  readonly route: { readonly id: string; readonly name: string } | null;
  /** One sentence: why it would be taken, and why in this place. */
  readonly reason: string;
}

/**
 * Returns the ways of a fax that would be accepted now, implemented by the composition root; or a sentence that says
 * why there is none.
 */
export type PlanSteps = (fax: {
  readonly to: string;
  readonly byCall: boolean;
}) => Promise<{ readonly ways: readonly PlannedStep[] } | { readonly refusal: string }>;

/**
 * Returns the contacts of these numbers (E.164), implemented by the composition root; empty for a caller who may not
 * see contacts.
 */
export type FindContacts = (
  caller: Caller,
  numbers: readonly string[],
) => Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>>;
