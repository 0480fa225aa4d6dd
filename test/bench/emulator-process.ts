import { CALLBACK_TOKEN, sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { serveCalls } from './child.ts';
import { LETTER_PAGES } from './fax-upload.ts';

// The provider in a process of its own. Every fax ends well as soon as `completeAll` is called.
const emulator = await startTestEmulator();
serveCalls(
  { environment: { ...sendingSettings(emulator), CLOUDONE_CALLBACK_TOKEN: CALLBACK_TOKEN } },
  {
    completeAll: () => {
      for (const [id, fax] of emulator.faxes)
        if (fax.status !== 'success') emulator.complete(id, { pages: LETTER_PAGES });
      emulator.calls.length = 0;
      return emulator.faxes.size;
    },
    stop: () => emulator.close(),
  },
);
