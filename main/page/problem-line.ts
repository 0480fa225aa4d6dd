import { element } from './elements.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** An empty line for a sentence about a problem, which is read out when it comes. */
export function problemLine(): HTMLElement {
  const line = element('p');
  line.className = 'problem';
  line.setAttribute('role', 'alert');
  return line;
}

/** Shows a sentence in the line of a problem; an empty one takes it back. */
export function fillProblem(line: HTMLElement, sentence: string): void {
  line.replaceChildren(...(sentence === '' ? [] : [alertIcon(), sentence]));
}

function alertIcon(): SVGElement {
  const icon = document.createElementNS(NAMESPACE, 'svg');
  icon.setAttribute('viewBox', '0 0 20 20');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(NAMESPACE, 'path');
  path.setAttribute('d', 'M10 2.75a7.25 7.25 0 1 0 0 14.5a7.25 7.25 0 1 0 0-14.5M10 6v4.75M10 13.4v.1');
  icon.append(path);
  return icon;
}
