import type { Seal } from '../../../platform/seal.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundSettings } from '../parts.ts';
import type { Transports } from '../port.ts';
import type { JobRow, Plan, PlannedStep } from '../types.ts';
import { headerOf } from './header.ts';

/**
 * What a fax accepted now captures: its steps in their order, each with account, header and addresses. Throws a 409
 * refusal when nothing could be sent with the present settings.
 */
export function capturePlan(
  parts: { settings: OutboundSettings; transports: Transports },
  fax: { to: string; byCall: boolean },
): Plan {
  const { settings, transports } = parts;
  const chosen = transports.plan(fax);
  if ('refusal' in chosen) throw new FaxRefusalError('no_provider', { sentence: chosen.refusal });
  const header = headerOf(settings, fax.to);
  const publicUrl = settings.publicUrl();
  const steps = chosen.steps.map(({ callbackPath, ...step }) => ({
    ...step,
    header,
    from: settings.ownNumber(),
    // What stays on this computer is not put under a public address.
    documentBase: publicUrl === null || step.transport.kind !== 'provider' ? null : `${publicUrl}/fax`,
    callbackBase: publicUrl === null || callbackPath === null ? null : `${publicUrl}${callbackPath}`,
    linkMinutes: settings.linkMinutes(),
  }));
  return { steps, configuration: settings.configuration() };
}

const contextOf = (jobId: string) => `fax:${jobId}`;

export function sealPlan(seal: Seal, jobId: string, plan: Plan): string {
  return seal.seal(JSON.stringify(plan), contextOf(jobId));
}

/** The step of the plan, counted from 1. Throws when the fax has none of that number, which is a bug of the caller. */
export function openStep(seal: Seal, job: Pick<JobRow, 'id' | 'plan'>, step: number): PlannedStep {
  const { steps } = JSON.parse(seal.open(job.plan, contextOf(job.id))) as Plan;
  const found = steps[step - 1];
  if (!found) throw new Error(`fax ${job.id} has no step ${step}`);
  return found;
}
