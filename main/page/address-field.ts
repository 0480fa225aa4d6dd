import type { DesktopGatewayChoice } from '../../shared/desktop.ts';
import { element } from './elements.ts';
import { fillProblem, problemLine } from './problem-line.ts';

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
  const problem = problemLine();
  problem.id = 'address-problem';
  const container = element('div');
  container.className = 'field';
  container.append(label, input, help, problem);
  const showProblem = (sentence: string) => {
    input.setAttribute('aria-invalid', String(sentence !== ''));
    fillProblem(problem, sentence);
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
