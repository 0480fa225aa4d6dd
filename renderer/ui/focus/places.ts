/** Marks where the keyboard begins on a screen: a control, or what has it inside. Of several the first that is there. */
export const BEGIN = { 'data-focus-begin': '' } as const;
/** The same, where only a field counts: Enter in it hands the form in. */
export const BEGIN_AT_FIELD = { 'data-focus-begin': 'field' } as const;
/** Marks the subject of a refusal where no field shows it itself. */
export const FAULT = { 'data-fault': '' } as const;
/** Marks what ends or takes away: the keyboard is never led there, so that one more press does no harm. */
export const ENDS = { 'data-ends': '' } as const;
/** Marks a part of a form, for `focusPart`. */
export const part = (name: string) => ({ 'data-part': name });

/** Puts the keyboard where a part of the form begins; it stays where the part is not shown. */
export function focusPart(name: string): void {
  const shown = document.querySelector(`[data-part="${name}"]`);
  if (shown) controlsIn(shown)[0]?.focus();
}

/** Marks what is still on its way, so that the beginning is waited for. */
export const WAITS = { 'data-focus-waits': '' } as const;

const CONTROLS = 'a[href], button, input:not([type="hidden"]), select, textarea, [tabindex]';
const RESTS = ':disabled, [inert], [inert] *, [aria-hidden="true"] *, [data-exiting] *';

/** Returns true when the element can have the focus now. */
export function isUsable(element: HTMLElement): boolean {
  return element.isConnected && element.tabIndex >= 0 && !element.matches(RESTS) && element.checkVisibility();
}

/** Returns the focusable controls of a part of the page, in order; the part itself when it is a control. */
export function controlsIn(part: Element): HTMLElement[] {
  const all = [part, ...part.querySelectorAll(CONTROLS)];
  return all.filter(
    (it): it is HTMLElement => it instanceof HTMLElement && it.matches(CONTROLS) && isUsable(it),
  );
}

/** Returns the element marked as the beginning of the focus; null while there is none. */
export function markedBegin(part: Element): HTMLElement | null {
  for (const marked of part.querySelectorAll('[data-focus-begin]')) {
    const isField = marked.getAttribute('data-focus-begin') === 'field';
    const first = controlsIn(marked).find((it) => !isField || it.matches('input, textarea'));
    if (first) return first;
  }
  return null;
}

/** The name of the page that is shown, else the title of an empty list, else the first control, else the title. */
export function firstPlace(part: Element): HTMLElement | null {
  const controls = controlsIn(part);
  const empty = part.querySelector<HTMLElement>('[data-focus-begin] > :is(h1, h2)');
  const current = controls.find((it) => it.matches('[aria-current="page"]'));
  const first = current ?? (empty === null ? controls[0] : undefined);
  if (first) return first;
  const title = empty ?? part.querySelector<HTMLElement>('h1, h2');
  if (title) title.tabIndex = -1;
  return title;
}

/** Returns true when typed text goes into the element. */
export function takesText(element: Element | null): boolean {
  return element instanceof HTMLElement && element.matches(TEXT_SELECTOR) && isUsable(element);
}
const TEXT_SELECTOR =
  'textarea, input:not([type="checkbox"], [type="radio"], [type="file"], [type="hidden"])';

/** Returns true for an element that Enter or Space presses. */
export const isPressable = (element: Element): boolean => element.matches(PRESSABLE_SELECTOR);
const PRESSABLE_SELECTOR =
  'button, a[href], summary, [role="button"], [role="link"], [role="tab"], [role="menuitem"], input:is([type="checkbox"], [type="radio"])';

/** Place of an element: each of its ancestors, with the index in its parent. */
export interface Place {
  readonly element: HTMLElement;
  readonly ancestors: readonly { readonly node: Element; readonly index: number }[];
}

export function placeOf(element: HTMLElement): Place {
  const ancestors: { node: Element; index: number }[] = [];
  for (let node: Element | null = element; node && node !== document.body; node = node.parentElement)
    ancestors.push({ node, index: node.parentElement ? [...node.parentElement.children].indexOf(node) : 0 });
  return { element, ancestors };
}

/** The topmost part that went with it; the element itself when that is there still. */
export function removedPartOf({ element, ancestors }: Place): Element {
  return ancestors.findLast(({ node }) => !node.isConnected)?.node ?? element;
}

/**
 * Returns the control that now stands in a place: the one that replaced it, else a neighbor, else one around it. Of
 * several controls, the one with the same label, or else with the label of one of the `others`, the first of them
 * first.
 */
export function replacementOf(
  { element, ancestors }: Place,
  others: readonly Place[] = [],
): HTMLElement | null {
  const words = [element, ...others.map((other) => other.element)].map((it) => it.textContent.trim());
  const from = ancestors.findLastIndex(({ node }) => !node.isConnected);
  for (let level = Math.max(from, 0); level < ancestors.length - 1; level += 1) {
    const parent = ancestors[level + 1]?.node;
    if (!parent?.isConnected || parent.id === 'console') return null;
    const found = nearest(parent, ancestors[level]?.index ?? 0, words);
    if (found) return found;
    if (parent.matches('main, [role="dialog"]')) return null;
  }
  return null;
}

/** Returns the control closest to a place among its neighbors; of several in one, the one with the same label. */
function nearest(parent: Element, index: number, words: readonly string[]): HTMLElement | null {
  const { children } = parent;
  for (let far = 0; far <= children.length; far += 1)
    for (const child of far === 0 ? [children[index]] : [children[index + far], children[index - far]]) {
      const controls = child ? controlsIn(child).filter((it) => !it.matches('[data-ends]')) : [];
      const saying = (said: string) => controls.find((it) => said !== '' && it.textContent.trim() === said);
      const found = words.map(saying).find((it) => it !== undefined) ?? controls[0];
      if (found) return found;
    }
  return null;
}
