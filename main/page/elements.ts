/** A new element with a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (text !== '') made.textContent = text;
  return made;
}

/** A button that cannot be pressed again while its work is under way. */
export function button(label: string, work: () => Promise<unknown>): HTMLButtonElement {
  const made = element('button', label);
  made.type = 'button';
  made.addEventListener('click', () => {
    made.disabled = true;
    // Main reports errors where there are any.
    void work()
      .catch(() => {})
      .finally(() => {
        made.disabled = false;
      });
  });
  return made;
}

/** Puts these in place of what the page shows. */
export function show(...parts: HTMLElement[]): void {
  document.querySelector('#page')?.replaceChildren(...parts);
}
