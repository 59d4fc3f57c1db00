export interface DemoMember {
  readonly memberId: string;
  readonly displayName: string;
  readonly avatarUrl: string;
  readonly attributes: { readonly team: string };
}

const givenNames =
  'Amara Björn Chloé Dmitri Elif Farah Gonçalo Hana Ingrid Jamal Keiko Łukasz Mei Nikola Oluwaseun Priya Quentin Rosa Søren Tomás Ulla Vân Wanjiru Yusuf'.split(
    ' ',
  );
const familyNames =
  'Okafor Lindqvist Moreau Petrov Yılmaz Haddad Ferreira Suzuki Nørgaard Baptiste Tanaka Wiśniewski Zhang Jovanović Adeyemi Sharma Dubois Álvarez Ødegård Herrera Koskinen Nguyễn Kamau Rahman'.split(
    ' ',
  );
/** Names that are not a given and a family name in Latin letters. */
const wholeNames = ['李小龙', '王芳', '佐藤 花子', '김민준', 'Иван Кузнецов', 'Ελένη Νίκου', 'נועה לוי', 'سارة حسن'];
const teams = ['Comets', 'Herons', 'Lanterns', 'Otters'];

/** Invented members, the same ones every time. No two have the same name. */
export const demoMembers: readonly DemoMember[] = Array.from({ length: 300 }, (_, i) => {
  const displayName = wholeNames[i / 37] ?? pairedName(i);
  return {
    memberId: `demo:${String(i + 1).padStart(3, '0')}`,
    displayName,
    avatarUrl: avatar(displayName, (i * 137) % 360),
    attributes: { team: teams[i % teams.length] ?? '' },
  };
});

function pairedName(i: number): string {
  const given = i % givenNames.length;
  const family = (given + Math.floor(i / givenNames.length)) % familyNames.length;
  return `${givenNames[given]} ${familyNames[family]}`;
}

/** A coloured disc with initials: an image that needs no network. */
function avatar(name: string, hue: number): string {
  const initials = name
    .split(' ')
    .map((part) => [...part][0])
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="hsl(${hue} 55% 45%)"/><text x="32" y="41" font-family="sans-serif" font-size="26" text-anchor="middle" fill="#fff">${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
