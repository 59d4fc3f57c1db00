/** Nothing until it is a comment no more: a wrong key would be refused, and with it the schema that GraphiQL asks for. */
const keyToGive = `{
  // "Authorization": "Bearer <API key>"
}
`;

/** GraphiQL's first tabs, named after their operations: each runs at once on the board of `npm run demo`. */
export const exampleTabs = [
  {
    query: `# The top of the demo board: press the play button.
# No board yet? In a terminal: npm run demo
query Top {
  leaderboard(key: "demo") {
    title
    current {
      key
      version
      entryCount
      entries(first: 10) {
        nodes {
          rank
          score
          member {
            displayName
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# One member, and who is just above and below.
# Whatever one query asks of a period is of one version.
query AroundMe {
  leaderboard(key: "demo") {
    current {
      version
      me: entry(memberId: "demo:042") {
        rank
        score
        topPercent
        member {
          displayName
        }
      }
      entriesAround(
        memberId: "demo:042"
        above: 2
        below: 2
      ) {
        nodes {
          rank
          score
          member {
            displayName
          }
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Send a score. Writing needs the API key:
# take the // away under Headers below, and put it there.
# npm start printed it, and keeps it in data/admin-api-key
mutation SendScore {
  submitScore(
    input: {
      leaderboard: "demo"
      memberId: "me"
      score: 250
    }
  ) {
    applied
    changes {
      period {
        key
      }
      previousRank
      entry {
        rank
        score
      }
    }
  }
}
`,
    headers: keyToGive,
  },
  {
    query: `# Watch the top five change. Press play and wait a moment:
# npm run demo keeps sending scores, and SendScore sends one.
subscription WatchTop {
  entriesChanged(leaderboard: "demo", first: 5) {
    version
    entries {
      rank
      score
      member {
        displayName
      }
    }
  }
}
`,
  },
  {
    query: `# Make a board of your own. It needs the API key, too.
# Documentation of everything: the book at the top left.
mutation NewBoard {
  createLeaderboard(
    input: {
      key: "my-board"
      title: "My board"
      scorePolicy: BEST
      cadences: [ALL_TIME, DAILY]
    }
  ) {
    leaderboard {
      key
      title
      timeZone
    }
  }
}
`,
    headers: keyToGive,
  },
];
