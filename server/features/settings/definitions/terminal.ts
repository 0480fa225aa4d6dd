import { booleanSetting } from '../../../platform/setting-kinds.ts';

export const terminalSettings = {
  TERMINAL_ENABLED: booleanSetting({
    group: 'Access',
    label: 'Console terminal',
    help: 'Lets people with the permission to use the console terminal run commands under System, Terminal. A command can do what that person can do. Turning it off closes open terminals.',
    default: true,
  }),
};
