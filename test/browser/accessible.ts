import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RULES = {
  light: { runOnly: { type: 'tag', values: TAGS }, rules: { 'target-size': { enabled: true } } },
  // Nothing but colours differs.
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
  more: { runOnly: { type: 'rule', values: ['color-contrast-enhanced'] } },
};
/** Announcements that React Aria made and that point to what is gone by now. */
const CONTEXT = { exclude: [['[data-live-announcer]']] };
/** The hidden way out of a popover, which React Aria puts beside it, stands outside of all landmarks. */
const POPOVER = '<div style="display: contents;">';

/** Ends fades and changes of color that began while motion was still shown. Returns how many were under way. */
const SETTLE = `(() => {
  const ending = document.getAnimations().filter(({ playState, effect }) =>
    playState !== 'finished' && Number.isFinite(effect.getComputedTiming().endTime));
  for (const it of ending) it.finish();
  return ending.length;
})()`;

/** The words of main buttons that are off without a reason beside them. */
const SILENT = `[...document.querySelectorAll('[data-variant="primary"]:disabled')]
  .filter((it) => it.checkVisibility())
  .filter((it) => !(it.getAttribute('aria-describedby') ?? '').split(' ')
    .some((id) => id !== '' && (document.getElementById(id)?.textContent ?? '').trim() !== ''))
  .map((it) => it.textContent)`;

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

/** Expects that axe finds nothing on the page as it stands, in light and in dark, and that no main button is off without a reason. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(async () => ({ silent: await page.evaluate(SILENT) })).toEqual({ silent: [] });
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, so that no colour is caught half-way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect({ [colorScheme]: await violationsOn(page, colorScheme) }).toEqual({ [colorScheme]: [] });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Lists the texts with less than 7 to 1 where the system asks for more contrast, in light and in dark. */
export async function contrastFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'more', reducedMotion: 'reduce' });
    for (const fault of await violationsOn(page, 'more')) faults.push(`${colorScheme}: ${fault}`);
  }
  await page.emulateMedia({ colorScheme: null, contrast: null, reducedMotion: null });
  return faults;
}

/** Evaluated from outside, because the content policy of the page allows no script of ours. */
async function violationsOn(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(SOURCE);
  const options = { ...RULES[rules], resultTypes: ['violations'] };
  while ((await page.evaluate(SETTLE)) !== 0);
  const call = `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(options)})`;
  const violations = (await page.evaluate(`${call}.then((result) => result.violations)`)) as Violation[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => id !== 'region' || !html.startsWith(POPOVER))
      .map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}
