import type { DesktopGatewayChoice } from '../../shared/desktop.ts';
import { element } from './elements.ts';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Field for the address of another computer, with its error beside it. */
interface AddressField {
  readonly container: HTMLElement;
  readonly input: HTMLInputElement;
  /** An empty sentence takes the complaint back. */
  showProblem(sentence: string): void;
}

export function addressField(present: DesktopGatewayChoice): AddressField {
  const input = addressInput(present);
  const label = element('label', 'Address of the other computer');
  label.htmlFor = input.id;
  const help = element('p', 'Ask the person who manages it. For example fax.office.example:8443.');
  help.className = 'help';
  help.id = 'address-help';
  const problem = element('p');
  problem.className = 'problem';
  problem.id = 'address-problem';
  problem.setAttribute('role', 'alert');
  const container = element('div');
  container.className = 'field';
  container.append(label, input, help, problem);
  const showProblem = (sentence: string) => {
    input.setAttribute('aria-invalid', String(sentence !== ''));
    problem.replaceChildren(...(sentence === '' ? [] : [alertIcon(), sentence]));
  };
  return { container, input, showProblem };
}

function addressInput(present: DesktopGatewayChoice): HTMLInputElement {
  const input = element('input');
  input.id = 'address';
  input.inputMode = 'url';
  input.autocomplete = 'off';
  input.spellcheck = false;
  input.value = present.kind === 'other' ? present.address : '';
  input.setAttribute('aria-describedby', 'address-help address-problem');
  return input;
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
