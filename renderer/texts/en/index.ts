import { fax } from './fax.ts';
import { guard } from './guard.ts';
import { inbox } from './inbox.ts';
import { junk } from './junk.ts';
import { recipient } from './recipient.ts';
import { send } from './send.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { ui } from './ui.ts';

export const en = { ui, shell, signIn, fax, guard, send, recipient, inbox, junk };
