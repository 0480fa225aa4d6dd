import { t } from '../../texts/administration.ts';

export const STEPS = ['owner', 'provider', 'number', 'receiving', 'test'] as const;
/** Address of the page that moves an earlier installation over; it is beside the steps. */
export const EARLIER = 'earlier';
export type Step = (typeof STEPS)[number];

/** Steps, with true for those that are done. */
export interface Done {
  readonly owner: boolean;
  readonly provider: boolean;
  readonly header_line: boolean;
  readonly receiving: boolean;
  readonly test_fax: boolean;
}

export function isStep(text: string | undefined): text is Step {
  return STEPS.some((step) => step === text);
}

export function isDone(step: Step, done: Done): boolean {
  switch (step) {
    case 'owner':
      return done.owner;
    case 'provider':
      return done.provider;
    case 'number':
      return done.header_line;
    case 'receiving':
      return done.receiving;
    case 'test':
      return done.test_fax;
  }
}

/** Returns the step to continue with: the first that is not done, else the last. */
export function firstMissing(done: Done): Step {
  return STEPS.find((step) => !isDone(step, done)) ?? 'test';
}

export function stepAfter(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) + 1] ?? null;
}

export function stepBefore(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) - 1] ?? null;
}

export function stepWords(step: Step): { name: string; about: string } {
  return t.setup[step];
}
