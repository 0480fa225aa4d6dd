import { SealError } from '../../../platform/errors.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import type { Fact, Fax } from '../transition/fact.ts';

/** Name of the telephone line, for use within a sentence. */
const THE_LINE = 'the phone line';
const THE_PARTNER = 'the partner';

/** Names of providers and steps, for the sentences of the history. */
export interface StepNames {
  /** Returns the vendor's name of the provider that has the fax. */
  providerOf(fax: Fax): string;
  /** Returns the names for a sentence about a fact; `next` is null where no step follows. */
  namesFor(fax: Fax, fact: Fact): { readonly provider: string; readonly next: string | null };
}

export function createStepNames(parts: Pick<OutboundParts, 'seal' | 'transports'>): StepNames {
  const providerOf = ({ job, attempt }: Fax) => parts.transports.nameOf(attempt?.backend ?? job.backend);
  return {
    providerOf,
    namesFor: (fax, fact) => ({
      provider: ownName(fax.attempt) ?? providerOf(fax),
      next: nextName(parts, fax, fact),
    }),
  };
}

/** Null for a transport with the name of a vendor. */
function ownName(attempt: Fax['attempt']): string | null {
  if (attempt?.transport === 'line') return THE_LINE;
  return attempt?.transport === 'direct' ? THE_PARTNER : null;
}

const NEXT_STEP_FACTS: ReadonlySet<Fact['kind']> = new Set(['try_later', 'not_accepted', 'reported']);

/** Returns the name of the next step of the plan; null where there is none, or where the plan cannot be opened now. */
function nextName(
  { seal, transports }: Pick<OutboundParts, 'seal' | 'transports'>,
  { job, attempt }: Fax,
  { kind }: Fact,
): string | null {
  if (attempt === null || attempt.step >= job.plan_steps || !NEXT_STEP_FACTS.has(kind)) return null;
  try {
    const { route, transport } = openStep(seal, job, attempt.step + 1);
    if (route !== null) return `“${route.name}”`;
    return transport.kind === 'line' ? THE_LINE : transports.nameOf(transport.backend);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
