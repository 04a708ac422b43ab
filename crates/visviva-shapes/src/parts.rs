//! What hangs together by common nodes.

/// For each node the lowest node of its part; nodes of no element are parts of their own.
pub fn lowest_of_parts<const N: usize>(node_count: usize, elements: &[[u32; N]]) -> Vec<usize> {
    // Each node points to a lower one of its part; a root points to itself.
    let mut parent: Vec<usize> = (0..node_count).collect();
    let root = |parent: &mut Vec<usize>, mut node: usize| {
        while parent[node] != node {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    };
    for element in elements {
        let roots = element.map(|node| root(&mut parent, node as usize));
        let lowest = roots.into_iter().min().unwrap_or(0);
        roots.into_iter().for_each(|r| parent[r] = lowest);
    }
    (0..node_count).map(|node| root(&mut parent, node)).collect()
}
