import type { Seal } from '../../../platform/seal.ts';
import { FaxRefusalError } from '../errors.ts';
import type { OutboundSettings } from '../parts.ts';
import type { FaxToPlan, StepRoute, Transports } from '../port.ts';
import type { JobRow, Plan, PlannedStep, TakenRoute } from '../types.ts';
import { headerOf } from './header.ts';

/**
 * Captures the plan of a fax accepted now: its steps in order, each with account, header line and addresses. A name that
 * the sender set for the header line replaces those of settings and routes. Throws a 409 refusal when nothing could be
 * sent with the present settings.
 */
export async function capturePlan(
  parts: { settings: OutboundSettings; transports: Transports },
  fax: FaxToPlan,
  headerName: string | null,
): Promise<Plan> {
  const { settings, transports } = parts;
  const chosen = await transports.plan(fax);
  if ('refusal' in chosen) throw new FaxRefusalError('no_provider', { sentence: chosen.refusal });
  const publicUrl = settings.publicUrl();
  const steps = chosen.steps.map(({ callbackPath, ...step }) => ({
    ...step,
    header: headerOf(senderOf(settings, step.route, headerName), fax.to),
    from: step.route?.ownNumber ?? settings.ownNumber(),
    // A document that stays on this computer gets no public address.
    documentBase: publicUrl === null || step.transport.kind !== 'provider' ? null : `${publicUrl}/fax`,
    callbackBase: publicUrl === null || callbackPath === null ? null : `${publicUrl}${callbackPath}`,
    linkMinutes: settings.linkMinutes(),
  }));
  return { steps, backend: chosen.backend, configuration: settings.configuration() };
}

/**
 * Returns the sender for a route. Values that the route does not name come from the settings; the name that a person set
 * for their own faxes comes first.
 */
export function senderOf(
  settings: Pick<OutboundSettings, 'organization' | 'ownNumber' | 'timeZone'>,
  route: StepRoute | null,
  headerName: string | null,
): Pick<OutboundSettings, 'organization' | 'ownNumber' | 'timeZone'> {
  return {
    organization: () => headerName ?? route?.headerName ?? settings.organization(),
    ownNumber: () => route?.ownNumber ?? settings.ownNumber(),
    timeZone: () => settings.timeZone(),
  };
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

/** Returns the route columns of a fax and its attempt, for display. */
export function routeOf({ route, reason }: Pick<PlannedStep, 'route' | 'reason'>): TakenRoute {
  if (route === null) return { route_id: null, route_name: null, route_reason: null };
  return { route_id: route.id, route_name: route.name, route_reason: reason };
}
