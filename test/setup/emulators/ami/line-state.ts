import type { AmiSession, ReadAction } from './session.ts';

const WORKS = 'SUCCESS';
const FAILS = 'APPERROR';
const FOLLOWS = 'Result will follow';

/** State of the engine that the check of the phone line reads; free of faults until a test changes it. */
export class LineState {
  /** Modules that are not loaded. */
  readonly missingModules = new Set<string>();
  /** Of the configuration that the engine runs with; null: not one of Faxdesk. */
  fingerprint: string | null = null;
  registration = 'Registered';
  /** Resources that the user of the engine cannot access: `Folder`, `Inbound`, `Secret`, `Outgoing`, `Script`. */
  readonly denied = new Set<string>();

  /** Answers an action of the check and returns true; returns false for any other action. */
  answer(session: AmiSession, action: ReadAction): boolean {
    switch (action.name) {
      case 'modulecheck':
        return this.#answerModuleCheck(session, action, !this.missingModules.has(action.get('Module')));
      case 'getvar':
        session.send('Response: Success', `ActionID: ${action.id}`, `Value: ${this.fingerprint ?? ''}`);
        return true;
      case 'pjsipshowendpoint':
        session.list(action, [['ContactStatusDetail', `ActionID: ${action.id}`, 'Status: Reachable']], {
          name: 'EndpointDetail',
          message: FOLLOWS,
        });
        return true;
      case 'pjsipshowregistrationsoutbound':
        session.list(
          action,
          [
            [
              'OutboundRegistrationDetail',
              `ActionID: ${action.id}`,
              'ObjectName: faxdesk-trunk',
              `Status: ${this.registration}`,
            ],
          ],
          { name: 'OutboundRegistrationDetail', message: FOLLOWS },
        );
        return true;
      case 'originate':
        return action.get('Channel').startsWith('Local/') && this.#sendCheckEvent(session, action);
      default:
        return false;
    }
  }

  #answerModuleCheck(session: AmiSession, action: ReadAction, isLoaded: boolean): true {
    session.answer(
      action,
      isLoaded ? 'Module is loaded' : 'Module not loaded',
      isLoaded ? 'Success' : 'Error',
    );
    return true;
  }

  /** Sends the dialplan's event about the folder, or about a page within the engine. */
  #sendCheckEvent(session: AmiSession, action: ReadAction): true {
    session.answer(action, 'Originate successfully queued');
    const check = `Check: ${action.get('Variable').split('=')[1] ?? ''}`;
    const may = (name: string) => `${name}: ${this.denied.has(name) ? FAILS : WORKS}`;
    const lines = action.get('Channel').includes('faxdesk-check')
      ? ['UserEvent: FaxdeskChecked', ...['Folder', 'Inbound', 'Secret', 'Outgoing', 'Script'].map(may)]
      : ['UserEvent: FaxdeskLooped', `Status: ${WORKS}`, 'Pages: 1', 'Words: T0s='];
    session.send('Event: UserEvent', check, ...lines);
    return true;
  }
}
