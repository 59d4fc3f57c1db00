/** GraphiQL's first tabs: a query, a mutation and a subscription to run at once, on the board of `npm run demo`. */
export const exampleTabs = [
  {
    query: `# The top of a board, with names. Press the play button.
query Top {
  leaderboard(key: "demo") {
    title
    current {
      key
      version
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
    query: `# Send a score. It needs the API key: put {"Authorization": "Bearer <ADMIN_API_KEY>"} under Headers below.
mutation Score {
  submitScore(input: { leaderboard: "demo", memberId: "me", score: 250 }) {
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
  },
  {
    query: `# Watch the top five change. Press play, then send scores from another tab.
subscription Live {
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
];
