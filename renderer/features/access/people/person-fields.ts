import { isLoginName } from '../../../parts/sign-in/login-name.ts';
import { t } from '../../../texts/access.ts';

/** Returns a sentence on what is wrong with a name; null when it is valid. */
export function nameProblem(name: string): string | null {
  return name.trim() === '' ? t.access.person.nameMissing : null;
}

export function loginProblem(login: string): string | null {
  return isLoginName(login) ? null : t.access.person.loginWrong;
}
