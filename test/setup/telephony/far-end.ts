import type { RigPorts } from './rig-ports.ts';

/** Behaviors of the far end, chosen by the last three digits of the dialed number. The digits before are free. */
const FAR_END = {
  t38: '001',
  audio: '002',
  audioWithoutEcm: '003',
  t38WithoutEcm: '004',
  busy: '010',
  noAnswer: '011',
  rejected: '012',
  unknownNumber: '013',
  voice: '014',
  overloaded: '015',
  outOfOrder: '016',
  /** Rings for 20 seconds. */
  ringsInVain: '017',
  /** Sends the call to another number (SIP 302). */
  redirects: '018',
  /** Answers, says nothing, and hangs up after two seconds. */
  hangsUpAtOnce: '020',
} as const;

export type FarEndBehavior = keyof typeof FAR_END;

/** Returns a number with that behavior; `line` (0 to 999) distinguishes the numbers of one behavior. */
export function farEndNumber(behavior: FarEndBehavior, line = 0): string {
  return `+12025${String(line).padStart(3, '0')}${FAR_END[behavior]}`;
}

/** Returns the digits that select the behavior of a number. */
export function behaviorOf(number: string): string {
  return number.slice(-3);
}

/** The number of the office: the far end calls it, and the office calls from it. */
export const OFFICE_NUMBER = '+12025550100';

/** Credentials of the office at the carrier, which the far end plays too. */
export const TRUNK_USER = 'office01';
export const TRUNK_PASSWORD = 'trunk;pass"word$1';

/** The configuration of the far end beside that of its manager interface. */
export function farEndFiles(
  folder: string,
  ports: RigPorts,
  officePort: number,
): Readonly<Record<string, string>> {
  return {
    'pjsip.conf': pjsip(ports),
    'extensions.conf': dialplan(folder, officePort),
    'res_fax.conf': '[general]\nmaxrate=14400\nminrate=2400\nmodems=v17,v27,v29\necm=yes\nstatusevents=yes\n',
    'udptl.conf': `[general]\nudptlstart=${ports.udptl[0]}\nudptlend=${ports.udptl[1]}\nudptlfecentries=3\nudptlfecspan=3\n`,
    'rtp.conf': `[general]\nrtpstart=${ports.rtp[0]}\nrtpend=${ports.rtp[1]}\n`,
  };
}

function pjsip(ports: RigPorts): string {
  return `
[global]
type=global

[udp]
type=transport
protocol=udp
bind=127.0.0.1:${ports.sip}

[${TRUNK_USER}]
type=aor
max_contacts=1
remove_existing=yes
minimum_expiration=5

[${TRUNK_USER}]
type=auth
auth_type=userpass
username=${TRUNK_USER}
password=${TRUNK_PASSWORD.replaceAll(';', '\\;')}

[${TRUNK_USER}]
type=endpoint
transport=udp
context=from-office
aors=${TRUNK_USER}
auth=${TRUNK_USER}
disallow=all
allow=ulaw,alaw
direct_media=no
t38_udptl=yes
t38_udptl_ec=redundancy

[${TRUNK_USER}]
type=identify
endpoint=${TRUNK_USER}
match=127.0.0.1
`;
}

function dialplan(folder: string, officePort: number): string {
  return `
[general]
static=yes
writeprotect=yes

[from-office]
exten => _[+0-9].,1,Set(DIALED=\${FILTER(0-9,\${EXTEN})})
 same => n,UserEvent(FarEndCalled,Dialed: \${DIALED},From: \${CALLERID(num)})
 same => n,Goto(far-end,\${DIALED:-3},1)

[far-end]
${receives(FAR_END.t38, { ecm: 'yes', options: 'fs' })}
${receives(FAR_END.audio, { ecm: 'yes', options: 'Fs' })}
${receives(FAR_END.audioWithoutEcm, { ecm: 'no', options: 'Fs' })}
${receives(FAR_END.t38WithoutEcm, { ecm: 'no', options: 'fs' })}
exten => ${FAR_END.busy},1,Busy(20)
exten => ${FAR_END.noAnswer},1,Ringing()
 same => n,Wait(600)
exten => ${FAR_END.ringsInVain},1,Ringing()
 same => n,Wait(20)
 same => n,Hangup(19)
exten => ${FAR_END.rejected},1,Hangup(21)
exten => ${FAR_END.unknownNumber},1,Hangup(1)
exten => ${FAR_END.voice},1,Answer()
 same => n,PlayTones(300+420/700,0/300)
 same => n,Wait(600)
exten => ${FAR_END.overloaded},1,Hangup(34)
exten => ${FAR_END.outOfOrder},1,Hangup(27)
exten => ${FAR_END.redirects},1,Transfer(PJSIP/sip:+12025559001@127.0.0.1)
exten => ${FAR_END.hangsUpAtOnce},1,Answer()
 same => n,Wait(2)
 same => n,Hangup()
exten => ${OFFICE_NUMBER.slice(-3)},1,Dial(PJSIP/${TRUNK_USER}/sip:+\${DIALED}@127.0.0.1:${officePort})

[far-received]
exten => s,1,UserEvent(FarEndReceived,Dialed: \${DIALED},Status: \${FAXSTATUS},Pages: \${FAXPAGES},Mode: \${FAXMODE},Rate: \${FAXBITRATE},Words: \${FAXSTATUSSTRING})
 same => n,Return()

[far-send]
exten => s,1,Set(CHANNEL(hangup_handler_push)=far-sent,s,1)
 same => n,Set(FAXOPT(ecm)=\${ECM})
 same => n,Set(FAXOPT(localstationid)=\${CALLERID(num)})
 same => n,SendFAX(\${FILE},\${OPTIONS})
 same => n,Hangup()

[far-sent]
exten => s,1,UserEvent(FarEndSent,Call: \${CALL},Status: \${FAXSTATUS},Pages: \${FAXPAGES},Mode: \${FAXMODE},Rate: \${FAXBITRATE},Words: \${FAXSTATUSSTRING})
 same => n,Return()
`.replaceAll('{folder}', folder);
}

function receives(extension: string, { ecm, options }: { ecm: string; options: string }): string {
  return `exten => ${extension},1,Set(CHANNEL(hangup_handler_push)=far-received,s,1)
 same => n,Set(FAXOPT(ecm)=${ecm})
 same => n,Set(FAXOPT(localstationid)=\${DIALED})
 same => n,Answer()
 same => n,ReceiveFAX({folder}/received/\${DIALED}-\${UNIQUEID}.tiff,${options})
 same => n,Hangup()`;
}
