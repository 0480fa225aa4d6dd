/** Common passwords of at least twelve characters, lower case. Shorter ones fall to the length rule. */
const LIST = `
000000000000 0987654321qwerty 1029384756qp 102938475610 111111111111 111222333444 112233445566 121212121212
123123123123 1234567890-= 12345678900987654321 123456789012 1234567890123 12345678901234 123456789012345
1234567890abc 1234567890qwe 1234567890qwer 1234567890qwerty 123456789abc 123456789asd 123456789qwe 123456789qwerty
123456abcdef 123456qwerty 1234567qwerty 12345678qwerty 12345qwert12345 1234qwerasdf 1234qwerasdfzxcv 123qweasdzxc
123qwe123qwe 131313131313 147258369147 147258369000 159357159357 159753456852 1a2b3c4d5e6f 1a2s3d4f5g6h 1q1q1q1q1q1q
1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz1qaz1qaz
1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb 1qazxsw23edc 1qazxsw2345t 222222222222 321321321321
333333333333 369258147000 444444444444 456456456456 555555555555 5t4r3e2w1q00 666666666666 741852963000
741852963741 753159753159 777777777777 789456123000 789456123789 789789789789 852456852456 888888888888
987654321000 987654321098 987654321987 999999999999 a1b2c3d4e5f6 a1s2d3f4g5h6 aa123456aa123456 aaaaaaaaaaaa
abc123abc123 abc123456789 abcabcabcabc abcd1234abcd abcd1234efgh abcdef123456 abcdefghijkl abcdefghijklm
abcdefghijklmnop adgjmptwadgj adminadminadmin administrador administrateur administrator administrator1
administrator123 alexander123 alwaysandforever andrew123456 anthony12345 applepieapple asdasdasdasd asdf1234asdf
asdf1234qwer asdfasdfasdf asdfghjkl123 asdfghjkl123456 asdfghjklasdf asdfghjklqwertyuiop asdfghjklzxcvbnm
asdfqwerzxcv asdqwe123456 asdzxc123456 awesome12345 azertyuiop12 azertyuiop123 azertyuiopqs babygirl1234 barcelona123
baseball1234 basketball12 basketball23 batman123456 bismillah123 blackberry12 blessed12345 bonjour12345 butterfly123
changeme1234 changemenow1 changethisnow charlie12345 cheeseburger chelsea12345 chocolate123 christopher1 cincinnati12
computer1234 computer12345 contrasena12 contrasena123 correcthorse correcthorsebattery correcthorsebatterystaple
counterstrike cristianoronaldo daniel123456 default12345 defaultpassword denverbroncos disneyland12 dolphins1234
donaldtrump1 doodlebug123 dragon123456 dragonball12 dragonballgt dragonballz1 elephant1234 elizabeth123 fantastic123
faxmachine12 faxmachine123 fenerbahce1907 ferrari12345 firebird1234 football1234 football12345 footballer12 forever12345
freedom12345 friendship12 fuckyou12345 fuckyoufuckyou galatasaray1905 georgewashington gobigorgohome goodmorning1
goodmorning12 gwerty123456 hannahmontana harleydavidson harrypotter1 harrypotter123 hello1234567 hellohello12
hellohellohello helloworld12 helloworld123 hellokitty12 hellokitty123 hetfield1234 iloveyou1234 iloveyou12345
iloveyou123456 iloveyou1987 iloveyouforever iloveyousomuch iloveyoutoo1 incorrect123 internet1234 jamesbond007
jehovahjireh jennifer1234 jessica12345 jesuschrist1 jesuschrist12 jesusisgood1 jesusislord1 jesuslovesme
jesuslovesme1 jordan123456 justinbieber justinbieber1 k1k1k1k1k1k1 kamehameha12 kennwort1234 killer123456
kissmyass123 kingkong1234 letmein12345 letmein123456 letmeinplease linkedin1234 linkinpark12 lionheart123
liverpool123 liverpoolfc1 lollipop1234 lovelovelove lovely123456 loveme123456 loveyouforever manchester12
manchesterunited manutd123456 marijuana420 master123456 matthew12345 maverick1234 mercedesbenz metallica123
michael12345 michelle1234 microsoft123 minecraft123 mississippi1 mnbvcxzlkjhg mnbvcxzlkjhgfdsapoiuytrewq
monkey123456 motdepasse12 motdepasse123 mustang12345 myspace12345 mypassword12 mypassword123 mynameisjohn
naruto123456 naughtyboy12 newpassword1 newpassword12 newpassword123 nicholas1234 nirvana12345 nothing12345
november2023 november2024 november2025 november2026 ooooooooooooo opensesame12 p4ssw0rd1234 p4ssword1234
p@ssw0rd1234 p@ssw0rd12345 p@ssw0rd2024 p@ssw0rd2025 p@ssw0rd2026 p@ssword1234 pa$$w0rd1234 pa55w0rd1234
pa55word1234 parola123456 passpasspass passw0rd1234 passw0rd12345 passw0rdpassw0rd password0000 password1111
password1234 password12345 password123456 password1234567 password12345678 password123456789 password1234567890
password2023 password2024 password2025 password2026 passwordpassword passwort1234 passwort12345 passwort123456
peterpan1234 philadelphia philadelphia1 pittsburgh12 playstation2 playstation3 playstation4 playstation5
pokemon12345 poiuytrewq12 poiuytrewqlkj princess1234 princess12345 q1q1q1q1q1q1 q1w2e3r4t5y6 q1w2e3r4t5y6u7
q1w2e3r4t5y6u7i8 qazwsx123456 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxswedcvfr qqqqqqqqqqqq qwaszx123456
qwe123qwe123 qwe123asd456 qweasdzxc123 qweasdzxcqwe qweqweqweqwe qwer1234asdf qwer1234qwer qwerasdfzxcv
qwerqwerqwer qwert1234567 qwert12345qwert qwerty000000 qwerty111111 qwerty123123 qwerty123456 qwerty1234567
qwerty12345678 qwerty123456789 qwertyqwerty qwertyuiop[] qwertyuiop10 qwertyuiop11 qwertyuiop12 qwertyuiop123
qwertyuiop1234 qwertyuiop12345 qwertyuiop123456 qwertyuiopasdf qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm
qwertzuiop12 qwertzuiop123 qwertzuiopas rainbow12345 realmadrid12 realmadrid123 rockstar1234 rollingstones
ronaldinho10 rootrootroot samantha1234 sandiego1234 sanfrancisco scooby123456 secret123456 secretpassword
september123 september2023 september2024 september2025 shadow123456 slipknot6666 slipknot1234 snowboarding
softball1234 spiderman123 spongebob123 starwars1234 starwars12345 strawberry12 summer123456 sunflower123
sunshine1234 sunshine12345 superman1234 superman12345 supersecret1 supersecret123 sweetheart12 teddybear123
temppassword temppassword1 testpassword testpassword1 testtesttest testtest1234 thisisapassword thomas123456
tottenham123 trustno11234 trustnoone12 unbelievable universidad1 universitario valentina123 verysecret12
vfhbyf123456 volleyball12 washington12 welcome12345 welcome123456 welcome2023! welcome2024! welcome2025! welcome2026!
whatever1234 whateverwhatever william12345 willsmith123 wolverine123 woaini123456 woaini1314520 xboxlive1234
yankees12345 yellowstone1 zaq12wsxcde3 zaq12wsxcde34rfv zaq1xsw2cde3 zaqwsxcderfv zaqxswcdevfr zinedinezidane
zxcvbnm12345 zxcvbnm123456 zxcvbnm1234567 zxcvbnmasdfgh zxcvbnmasdfghjkl zxcvbnmzxcvbnm zzzzzzzzzzzz
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(LIST.split(/\s+/u).filter(Boolean));

/** Words that guessers dress up with digits, signs and repetition. */
export const WEAK_WORDS: readonly string[] = [
  'password',
  'passwort',
  'passwd',
  'motdepasse',
  'contrasena',
  'kennwort',
  'qwerty',
  'qwertz',
  'azerty',
  'welcome',
  'administrator',
  'admin',
  'letmein',
  'changeme',
  'secret',
  'iloveyou',
  'default',
  'faxdesk',
  'fax',
  'owner',
  'test',
  'user',
  'root',
  'hello',
  'office',
  'summer',
  'winter',
  'spring',
  'autumn',
];
