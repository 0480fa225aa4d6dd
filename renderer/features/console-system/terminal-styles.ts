/**
 * Runs a function whose `style` elements become style sheets of the page. The content policy of the console allows no
 * inline styles, and xterm writes the sizes and colors of its lines into such elements.
 */
export function withStyleSheets<T>(work: () => T): T {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) =>
    name === 'style' ? createSheetElement(create('div')) : create(name, options);
  try {
    return work();
  } finally {
    // The method of the prototype is used again.
    Reflect.deleteProperty(document, 'createElement');
  }
}

/** Returns an element whose text is the rules of a style sheet, until it is removed. */
function createSheetElement(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    set(rules: string) {
      sheet.replaceSync(rules);
    },
  });
  element.remove = () => {
    const at = document.adoptedStyleSheets.indexOf(sheet);
    if (at !== -1) document.adoptedStyleSheets.splice(at, 1);
    Element.prototype.remove.call(element);
  };
  return element;
}
