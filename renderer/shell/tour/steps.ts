import { TOUR_STEPS, type TourStep } from '../../../shared/desk-tour.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { screenAt, screensFor } from '../screens.ts';

const PLACES = {
  send: { to: '/send' },
  pages: { to: '/send' },
  sent: { to: '/sent/{-$sentId}' },
  inbox: { to: '/inbox/{-$receivedId}' },
  work: { to: '/work/{-$workId}' },
  contacts: { to: '/contacts/{-$contactId}' },
  settings: { to: '/my-settings' },
  help: { to: '/help/{-$helpPage}' },
} as const satisfies Record<TourStep, { to: string }>;

/** Returns the address of the screen of a step, for `navigate`. */
export const placeOfStep = (step: TourStep) => PLACES[step];

/** Returns the steps whose screens the person may open, in their order. */
export function stepsFor(held: readonly Permission[]): readonly TourStep[] {
  const open = screensFor(held);
  return TOUR_STEPS.filter((step) => {
    const screen = screenAt(PLACES[step].to.replace(/\/\{.*$/u, ''));
    return screen === undefined || open.includes(screen);
  });
}
